# shellcheck shell=bash
# Debian's packages for the virtual Pi, whose processor may be another than this computer's. To be sourced.
# The package lists are in the folder `apt` of the current one, so that those of the system stay as they are.

# apt_options NAME ARCHITECTURE: sets `options`, with which apt asks the sources in the file apt/NAME.list, or else the system's own.
apt_options() {
	local name=$1 architecture=$2 folder=$PWD/apt/$1
	mkdir -p "$folder"/{lists,cache/archives}/partial
	touch "$folder/status"
	options=(-qq -o Dir::State="$folder" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root
		-o APT::Architecture="$architecture" -o APT::Architectures="$architecture")
	[ ! -f "$folder.list" ] || options+=(-o Dir::Etc::SourceList="$folder.list" -o Dir::Etc::SourceParts=-)
}

# dependencies NAME ARCHITECTURE PACKAGE: what it needs, a line each.
dependencies() {
	local options
	apt_options "$1" "$2"
	apt-cache "${options[@]}" depends "$3" 2>/dev/null | sed -n 's/^ *Depends: //p'
}

# update_lists NAME ARCHITECTURE
update_lists() {
	local options
	apt_options "$1" "$2"
	apt-get "${options[@]}" update
}

# unpack NAME ARCHITECTURE FOLDER PACKAGE…: a new folder with the files of these packages alone.
unpack() {
	local options folder=$PWD/$3
	apt_options "$1" "$2"
	shift 3
	rm -rf "$folder" && mkdir "$folder"
	(
		cd "$folder"
		apt-get "${options[@]}" download "$@"
		for package in *.deb; do dpkg-deb -x "$package" .; done
		rm ./*.deb
	)
}
