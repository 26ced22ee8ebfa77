"""The engine: what games and tables are, from the rules to the command line.

Pure rooms know no device, thread, clock or file: `base`, `gamekit`, `games`, `referee`, `view`. `journal` knows the disk. `app`
puts one table together with its devices, `scripting` plays texts, `cli` is the command line.
"""
