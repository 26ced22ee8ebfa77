"""What stands against what should: hand-made boards, and every way in which hands can do a small change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.engine.gamekit.overlay import NO_SPACES, Site, Space, Spaces, by_site
from underboard.engine.gamekit.table import Change
from underboard.engine.referee.comparison import Comparison, differences, layout_after, tokens_after

SPACES = ("4a", "4b", "4c", "5a", "5b", "5c")
SITES = {"4": ("4a", "4b", "4c"), "5": ("5a", "5b", "5c")}
PUT = Change(puts=("4",))
KNOCK_OUT = Change(clears=("4",), puts=("4",))
CHANGES = (
    PUT,
    KNOCK_OUT,
    Change(clears=("4",)),
    Change(clears=("4",), puts=("5",)),
    Change(clears=("4", "5"), puts=("4",)),
    Change(puts=("4", "5")),
    Change(puts=("4", "4")),
)

spaces_of = st.frozensets(st.sampled_from(SPACES))


def site(space: Space) -> Site:
    return space[0]


def board(standing: str, sensed: str, vacated: str = "") -> Comparison:
    return Comparison(frozenset(standing.split()), frozenset(sensed.split()), frozenset(vacated.split()), site)


def subsets(spaces: tuple[Space, ...]) -> Iterator[Spaces]:
    return (frozenset(chosen) for chosen in chain.from_iterable(combinations(spaces, size) for size in range(len(spaces) + 1)))


def test_spaces_are_grouped_by_their_site() -> None:
    assert by_site(["4a", "5c", "4b"], site) == {"4": {"4a", "4b"}, "5": {"5c"}}
    assert by_site([], site) == {}


@pytest.mark.parametrize(
    ("standing", "sensed", "different"),
    [
        ("", "", ""),
        ("4a", "4a", ""),
        ("4a", "4b", ""),  # one space of a site is as good as another
        ("4a", "", "4"),
        ("", "5a", "5"),
        ("4a", "5a", "4 5"),
        ("4a 4b", "4c", "4"),
    ],
)
def test_only_the_number_of_tokens_makes_a_site_different(standing: str, sensed: str, different: str) -> None:
    found = board(standing, sensed).different()
    assert list(found) == different.split()
    for name, difference in found.items():
        assert difference.should == {space for space in standing.split() if site(space) == name}
        assert difference.does == {space for space in sensed.split() if site(space) == name}


@pytest.mark.parametrize(
    ("change", "standing", "sensed", "vacated", "fulfils", "on_the_way", "to_lift"),
    [
        (PUT, "", "", "", False, True, ""),
        (PUT, "", "4c", "", True, True, ""),
        (PUT, "4a", "4a 4b", "", True, True, ""),
        (PUT, "4a", "4b", "4a", False, True, ""),  # only moved within the site
        (PUT, "", "4a 4b", "", False, False, ""),  # one too many
        (PUT, "", "5a", "", False, False, ""),
        (PUT, "", "4a 5a", "", False, False, ""),
        (PUT, "4a", "", "4a", False, False, ""),  # what stays must not go
        (PUT, "5a", "4a", "5a", False, False, ""),
        (KNOCK_OUT, "4a", "4a", "", False, True, "4a"),
        (KNOCK_OUT, "4a", "4a 4b", "", False, True, "4a"),
        (KNOCK_OUT, "4a", "", "4a", False, True, ""),
        (KNOCK_OUT, "4a", "4b", "4a", True, True, ""),
        (KNOCK_OUT, "4a", "4a", "4a", True, True, ""),  # seen to leave: what stands there now is another
        (KNOCK_OUT, "4a 4b", "4b 4c", "4a", False, True, "4b"),  # one of two enemies has gone
        (KNOCK_OUT, "4a 4b", "4b", "4a", False, True, "4b"),
        (KNOCK_OUT, "4a 4b", "4c", "4a 4b", True, True, ""),
        (KNOCK_OUT, "4a 5a", "4b", "4a 5a", False, False, ""),
    ],
)
def test_changes(change: Change, standing: str, sensed: str, vacated: str, fulfils: bool, on_the_way: bool, to_lift: str) -> None:
    found = board(standing, sensed, vacated)
    assert found.fulfils(change) == fulfils
    assert found.on_the_way(change) == on_the_way
    assert found.to_lift(change) == to_lift.split()


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_does_a_change_in_any_order_is_on_the_way_until_it_is_done(change: Change) -> None:
    for standing in subsets(("4a", "4b", "5a")):
        walk(change, standing, Comparison(standing, standing, NO_SPACES, site), Counter(change.puts))


def walk(change: Change, standing: Spaces, now: Comparison, left: Counter[Site]) -> None:
    """All orders of lifting what has to leave and putting down what has to come, each move seen."""
    assert now.on_the_way(change)
    done = not left.total() and not now.to_lift(change)
    assert now.fulfils(change) == done
    for space in now.to_lift(change):
        walk(change, standing, Comparison(standing, now.sensed - {space}, now.vacated | {space}, site), left)
    for name in +left:
        for space in SITES[name]:
            if space not in now.sensed:
                walk(change, standing, Comparison(standing, now.sensed | {space}, now.vacated, site), left - Counter([name]))


@given(standing=spaces_of, sensed=spaces_of, vacated=spaces_of, change=st.sampled_from(CHANGES))
def test_what_is_done_was_on_the_way_and_needs_no_more_lifting(standing: Spaces, sensed: Spaces, vacated: Spaces, change: Change) -> None:
    found = Comparison(standing, sensed, vacated & standing, site)
    if found.fulfils(change):
        assert found.counts_fit(change)
        assert found.on_the_way(change)
        assert found.to_lift(change) == []
    assert found.to_lift(change) == sorted(space for space in standing - vacated if site(space) in change.clears)
    assert (found.different() == {}) == (Counter(map(site, standing)) == Counter(map(site, sensed)))


@given(standing=spaces_of, sensed=spaces_of, change=st.sampled_from(CHANGES))
def test_a_change_touches_nothing_but_its_sites(standing: Spaces, sensed: Spaces, change: Change) -> None:
    found = Comparison(standing, sensed, standing, site)
    elsewhere = differences(standing, sensed, site).keys() - set(change.sites)
    assert not elsewhere or not (found.fulfils(change) or found.on_the_way(change))


@given(standing=spaces_of, change=st.sampled_from(CHANGES))
def test_a_made_up_layout_is_what_the_change_leads_to(standing: Spaces, change: Change) -> None:
    after = layout_after(standing, change, SITES, site)
    before = Counter(map(site, standing))
    for name, spaces in SITES.items():
        wanted = tokens_after(change, name, before[name])
        assert len([space for space in after if site(space) == name]) == min(wanted, len(spaces))
        if name not in change.sites:
            assert {space for space in after if site(space) == name} == {space for space in standing if site(space) == name}


def test_a_made_up_layout_takes_the_first_free_space() -> None:
    assert layout_after(frozenset({"4a"}), PUT, SITES, site) == {"4a", "4b"}
    assert layout_after(frozenset({"4a"}), PUT, {"4": ("4c", "4b", "4a")}, site) == {"4a", "4c"}
    assert layout_after(frozenset({"4a", "5a"}), KNOCK_OUT, SITES, site) == {"4a", "5a"}


def test_a_change_names_each_site_once() -> None:
    assert Change(clears=("4",), puts=("4", "5")).sites == ("4", "5")
