"""Frames of card readers: what each of the three sends, and what a bad line makes of it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from underboard.hardware.cards.frames import (
    ACK,
    FROM_CHIP,
    TO_CHIP,
    ChipFrames,
    Counters,
    Heard,
    TagFrames,
    chip_frame,
    tag_frame,
    target_tag,
)
from underboard.hardware.core.parts import ReaderKind

TAG = "04006A3F1C"
tags = st.binary(min_size=5, max_size=5).filter(any).map(lambda data: data.hex().upper())
kinds: st.SearchStrategy[ReaderKind] = st.sampled_from(["rdm6300", "id12la"])


def heard(data: bytes, counters: Counters | None = None) -> list[Heard]:
    return TagFrames(counters or Counters()).feed(data)


@pytest.mark.parametrize(
    ("frame", "tag", "kind"),
    [
        ("02 30343030364133463143 3444 03", TAG, "rdm6300"),
        ("02 30343030364133463143 3444 0D0A 03", TAG, "id12la"),
        # https://github.com/BruceDevices/firmware/issues/2014: the checksum goes over all five bytes, the first one too
        ("02 30313032303330343035 3031 03", "0102030405", "rdm6300"),
        ("02 46463030303030303030 4646 03", "FF00000000", "rdm6300"),
        ("02 66663030303030303030 6666 03", "FF00000000", "rdm6300"),
    ],
)
def test_vectors(frame: str, tag: str, kind: ReaderKind) -> None:
    assert heard(bytes.fromhex(frame)) == [(tag, kind)]


def test_a_checksum_over_four_bytes_is_wrong() -> None:
    """https://github.com/BruceDevices/firmware/issues/2014"""
    counters = Counters()
    assert not heard(b"\x02010203040500\x03", counters)
    assert counters.bad == 1


@pytest.mark.parametrize("end", [b"\x03", b"\r\n\x03"])
def test_the_zero_frame_is_refused_though_its_checksum_is_right(end: bytes) -> None:
    """https://github.com/esprfid/esp-rfid/issues/411"""
    counters = Counters()
    assert not heard(b"\x02" + b"0" * 12 + end, counters)
    assert (counters.zero, counters.frames) == (1, 0)


@given(tags, kinds)
def test_every_tag_is_read_as_it_was_sent(tag: str, kind: ReaderKind) -> None:
    assert heard(tag_frame(tag, kind)) == [(tag, kind)]


@given(tags, kinds, st.data())
def test_frames_may_come_in_any_pieces(tag: str, kind: ReaderKind, data: st.DataObject) -> None:
    stream = tag_frame(tag, kind) * 3
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    frames = TagFrames(Counters())
    found = [one for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True) for one in frames.feed(stream[start:end])]
    assert found == [(tag, kind)] * 3


@given(st.binary(max_size=40), tags, kinds)
def test_whatever_came_before_the_second_frame_is_read(junk: bytes, tag: str, kind: ReaderKind) -> None:
    assert (tag, kind) in heard(junk + tag_frame(tag, kind) * 2)


@given(tags, kinds, st.integers(0, 15))
def test_a_cut_frame_costs_only_itself(tag: str, kind: ReaderKind, length: int) -> None:
    frame = tag_frame(tag, kind)
    assert heard(frame[: min(length, len(frame) - 1)] + frame) == [(tag, kind)]


@given(st.binary(max_size=400))
def test_random_bytes_are_never_kept_for_long(data: bytes) -> None:
    frames = TagFrames(Counters())
    frames.feed(data)
    assert len(frames._buffer) < 16


def flipped(data: bytes, random: Random, rate: float) -> bytes:
    """Every bit is wrong with this chance."""
    return bytes(byte ^ sum(1 << bit for bit in range(8) if random.random() < rate) for byte in data)


@given(st.randoms(use_true_random=False), tags, kinds)
def test_a_single_wrong_byte_never_makes_a_wrong_tag(random: Random, tag: str, kind: ReaderKind) -> None:
    frame = bytearray(tag_frame(tag, kind))
    frame[random.randrange(len(frame))] ^= random.randrange(1, 256)
    assert not {found.tag for found in heard(bytes(frame))} - {tag}


def test_junk_is_counted() -> None:
    counters = Counters()
    heard(b"AT\r\r" + tag_frame(TAG, "rdm6300") + b"\x02x", counters)
    assert counters == Counters(frames=1, bad=1, junk=5)


# PN532


def contents(data: bytes, counters: Counters | None = None) -> list[bytes]:
    return ChipFrames(counters or Counters()).feed(data)


@pytest.mark.parametrize(
    ("content", "frame"),
    [
        ("14 01 14 01", "00 00 FF 05 FB D4 14 01 14 01 02 00"),
        ("4A 01 00", "00 00 FF 04 FC D4 4A 01 00 E1 00"),
    ],
)
def test_commands_are_framed_as_in_the_user_manual(content: str, frame: str) -> None:
    assert chip_frame(bytes.fromhex(content)) == bytes.fromhex(frame)


def test_acknowledgement_and_answer() -> None:
    found = contents(ACK + bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 13 C4 8A 32 3B 00"))
    assert found == [b"", bytes.fromhex("4B 01 01 00 04 08 04 13 C4 8A 32")]
    assert target_tag(found[1], Counters()) == "13C48A32"


@pytest.mark.parametrize(
    ("content", "tag"),
    [
        ("4B 00", ""),
        ("4B 01 01 00 44 00 07 04 33 18 EA 70 32 80", "043318EA703280"),
        ("4B 01 01 00 44 00 07 04 33 18 EA 70 32 80 06 75 77 81 02 80", "043318EA703280"),
        ("4B 01 01 00 04 08 04 00 00 00 00", ""),
        ("4B 01 01 00 04 08 05 01 02 03 04 05", ""),
        ("4B 01 01 00 04 08 07 01 02 03", ""),
        ("4B 01", ""),
        ("4B", ""),
    ],
)
def test_tags_in_answers(content: str, tag: str) -> None:
    assert target_tag(bytes.fromhex(content), Counters()) == tag


@given(st.binary(min_size=1, max_size=40), st.sampled_from([TO_CHIP, FROM_CHIP]))
def test_every_content_is_read_as_it_was_sent(content: bytes, sender: int) -> None:
    assert ChipFrames(Counters(), sender).feed(chip_frame(content, sender)) == [content]


@given(st.binary(min_size=1, max_size=40), st.integers(3, 40), st.integers(1, 255))
def test_a_wrong_byte_is_noticed(content: bytes, place: int, wrong: int) -> None:
    frame = bytearray(chip_frame(content, FROM_CHIP))
    place = 3 + place % (len(frame) - 4)
    frame[place] ^= wrong
    assert content not in contents(bytes(frame))


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=20))
def test_after_any_junk_an_answer_is_read_again_once_the_line_was_quiet(junk: bytes, content: bytes) -> None:
    frames = ChipFrames(Counters())
    frames.feed(junk)
    frames.forget()
    assert frames.feed(ACK + chip_frame(content, FROM_CHIP))[-2:] == [b"", content]


@given(st.binary(max_size=400))
def test_random_bytes_never_fill_the_buffer(data: bytes) -> None:
    frames = ChipFrames(Counters())
    frames.feed(data)
    assert len(frames._buffer) <= 70


def test_zeros_around_frames_are_no_junk() -> None:
    counters = Counters()
    contents(bytes(20) + ACK + bytes(5) + b"U", counters)
    assert counters.junk == 1
