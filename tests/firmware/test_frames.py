"""The wire format on CPython; test_micropython.py runs the same file under MicroPython."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from underboard.firmware import frames
from underboard.firmware.frames import Decoder, Hello, Settings, crc16, encode

Message = tuple[int, int, bytes]
payloads = st.binary(max_size=frames.MAX_PAYLOAD)
bytes_of_one = st.integers(0, 255)


def test_the_crc_is_the_one_of_the_books() -> None:
    assert crc16(b"123456789") == 0x29B1
    assert crc16(b"") == 0xFFFF


@given(bytes_of_one, bytes_of_one, payloads)
def test_what_is_encoded_is_decoded(kind: int, sequence: int, payload: bytes) -> None:
    assert Decoder().feed(encode(kind, sequence, payload)) == [(kind, sequence, payload)]


def test_a_payload_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="64"):
        encode(1, 1, bytes(65))


@given(bytes_of_one, bytes_of_one, payloads)
@example(3, 3, b"\x03" * 64)
def test_no_frame_holds_a_key_that_means_something_to_the_prompt(kind: int, sequence: int, payload: bytes) -> None:
    assert not set(encode(kind, sequence, payload)) & {1, 2, 3, 4, 5}


@pytest.mark.parametrize("position", range(frames.MAX_PAYLOAD))
def test_a_3_in_every_position_of_the_payload(position: int) -> None:
    """https://github.com/micropython/micropython/issues/6846: byte 3 in the data interrupts the program."""
    payload = bytes(position) + b"\x03" + bytes(frames.MAX_PAYLOAD - 1 - position)
    wire = encode(frames.SNAPSHOT, 0, payload)
    assert 3 not in wire
    assert Decoder().feed(wire) == [(frames.SNAPSHOT, 0, payload)]


def test_a_3_in_either_byte_of_the_crc() -> None:
    """https://github.com/micropython/micropython/issues/6846, in the checksum."""
    seen = set()
    for sequence in range(256):
        for kind in range(256):
            crc = crc16(bytes((0, sequence, kind)))
            seen |= {where for where, byte in enumerate(divmod(crc, 256)) if byte == 3}
            if 3 in divmod(crc, 256):
                assert 3 not in encode(kind, sequence)
                assert Decoder().feed(encode(kind, sequence)) == [(kind, sequence, b"")]
    assert seen == {0, 1}


@given(st.lists(st.tuples(bytes_of_one, bytes_of_one, payloads), max_size=5), st.integers(1, 7))
def test_it_does_not_matter_how_the_bytes_arrive(messages: list[Message], size: int) -> None:
    wire = b"".join(encode(*message) for message in messages)
    decoder = Decoder()
    assert [found for at in range(0, len(wire), size) for found in decoder.feed(wire[at : at + size])] == messages
    assert (decoder.frames, decoder.errors, decoder.junk) == (len(messages), 0, 0)


@given(st.binary(max_size=200), payloads)
def test_after_any_garbage_the_next_frame_is_understood(garbage: bytes, payload: bytes) -> None:
    decoder = Decoder()
    decoder.feed(garbage)
    assert decoder.feed(encode(7, 9, payload)) == [(7, 9, payload)]


@given(payloads, st.data())
def test_a_cut_frame_costs_only_itself(payload: bytes, data: st.DataObject) -> None:
    wire = encode(7, 9, payload)
    cut = wire[: data.draw(st.integers(1, len(wire) - 1))]
    decoder = Decoder()
    assert decoder.feed(cut + wire) == [(7, 9, payload)]
    assert decoder.errors == 1


def test_one_wrong_bit_is_always_found() -> None:
    wire = encode(frames.SNAPSHOT, 5, bytes(range(32)))
    for bit in range(len(wire) * 8):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        assert Decoder().feed(bytes(flipped)) == []


def test_many_wrong_bits_are_found() -> None:
    """CRC-16 lets 1 of 65,536 pass; with these 20,000 frames and this seed none does."""
    random = Random(5)
    wire = encode(frames.SNAPSHOT, 5, bytes(range(32)))
    for _ in range(20_000):
        flipped = bytes(byte ^ sum(1 << bit for bit in range(8) if random.random() < 0.05) for byte in wire)
        assert flipped == wire or Decoder().feed(flipped) == []


def test_bytes_outside_of_frames_are_counted_as_one_piece_and_kept() -> None:
    """https://github.com/rusefi/rusefi/issues/4359: ModemManager sends AT commands."""
    decoder = Decoder()
    decoder.feed(b"AT\r\nAT+GCAP\r")
    decoder.feed(encode(1, 1) + b"\r\n>>> ")
    assert (decoder.frames, decoder.errors, decoder.junk) == (1, 0, 2)
    assert decoder.text == b"AT\r\nAT+GCAP\r\r\n>>> "


def test_kept_bytes_do_not_grow() -> None:
    decoder = Decoder()
    decoder.feed(b"x" * 10_000)
    assert len(decoder.text) == frames.TEXT_BYTES


def test_text_that_looks_like_a_frame_is_kept_too() -> None:
    decoder = Decoder()
    decoder.feed(b"~ is no frame >>> " + encode(1, 1))
    assert b">>> " in decoder.text
    assert (decoder.frames, decoder.errors) == (1, 1)


@given(st.integers(0, 2**32 - 1), st.integers(0, 65535), st.binary(max_size=8))
def test_hello(boot: int, settings: int, board: bytes) -> None:
    hello = Hello.unpack(Hello(boot, settings, 10, 9, board).pack())
    assert hello is not None
    assert (hello.protocol, hello.version) == (frames.PROTOCOL, frames.VERSION)
    assert (hello.boot, hello.settings, hello.rows, hello.columns, hello.board) == (boot, settings, 10, 9, board)


def test_of_another_protocol_only_the_version_is_read() -> None:
    hello = Hello.unpack(b"\x09\x02\x07whatever")
    assert hello is not None
    assert (hello.protocol, hello.version, hello.board) == (9, (2, 7), b"")


@pytest.mark.parametrize("payload", [b"", b"\x01\x01", bytes((frames.PROTOCOL, 1, 0, 0))])
def test_what_is_no_hello(payload: bytes) -> None:
    assert Hello.unpack(payload) is None


@pytest.mark.parametrize("lights", [None, 22])
def test_settings(lights: int | None) -> None:
    settings = Settings((0, 1, 28), (5, 6), lights, 10)
    read = Settings.unpack(settings.pack())
    assert read is not None
    assert (read.rows, read.columns, read.lights, read.period, read.id) == ((0, 1, 28), (5, 6), lights, 10, settings.id)


@pytest.mark.parametrize(
    "settings",
    [
        Settings((), (1,)),
        Settings((1,), ()),
        Settings(tuple(range(14)), (15,)),
        Settings((0,), tuple(range(1, 15))),
        Settings((0, 0), (1,)),
        Settings((0,), (0,)),
        Settings((0,), (1,), 1),
        Settings((23,), (1,)),
        Settings((0,), (29,)),
        Settings((0,), (1,), 25),
        Settings((0,), (1,), None, 0),
    ],
)
def test_settings_that_cannot_be(settings: Settings) -> None:
    assert not settings.usable()
    assert Settings.unpack(settings.pack()) is None


@given(st.binary(max_size=40))
def test_settings_from_any_bytes_are_usable_or_none(payload: bytes) -> None:
    settings = Settings.unpack(payload)
    assert settings is None or (settings.usable() and settings.pack() == payload)


def test_a_snapshot_counts_only_for_its_start_its_settings_and_its_size() -> None:
    payload = frames.pack_snapshot(77, 5, [1, 2, 7])
    assert frames.unpack_snapshot(payload, 77, 5, 3, 3) == (1, 2, 7)
    for boot, settings, rows, columns in [(76, 5, 3, 3), (77, 6, 3, 3), (77, 5, 2, 3), (77, 5, 4, 3), (77, 5, 3, 2)]:
        assert frames.unpack_snapshot(payload, boot, settings, rows, columns) is None
    assert frames.unpack_snapshot(b"", 77, 5, 3, 3) is None


def test_a_heartbeat() -> None:
    assert frames.unpack_alive(frames.pack_alive(9, 3600, 70_000, 2, 3)) == (9, 3600, 70_000 & 0xFFFF, 2, 3)
    assert frames.unpack_alive(b"short") is None


def test_the_default_uses_every_pin_once() -> None:
    assert frames.DEFAULT.usable()
    assert sorted(frames.DEFAULT.rows + frames.DEFAULT.columns) == sorted(frames.PINS)
