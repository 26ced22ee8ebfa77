"""What is appended to config.txt, and when nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systemd.boot_config import BLOCK, is_fast, with_fast_i2c, without_block

LINES = st.lists(
    st.sampled_from(
        [
            "dtparam=i2c_arm=on",
            "dtparam=i2c_arm=off",
            "#dtparam=i2c_arm=on",
            "dtparam=i2c_arm_baudrate=400000",
            "dtparam=i2c_arm_baudrate=100000",
            "dtparam=i2c_baudrate=1000000",
            "dtparam=i2c=on,i2c_baudrate=400000",
            "dtparam=audio=on",
            "dtoverlay=vc4-kms-v3d",
            "[pi4]",
            "[all]",
            "",
            "# a remark",
        ]
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",
        "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n",
        "dtparam=i2c=on\ndtparam=i2c_baudrate=1000000\n",
        "dtparam=i2c\ndtparam=i2c_baudrate=400000",
        "[pi4]\narm_boost=1\n[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",
        "dtparam=i2c_arm=off\ndtparam=audio=on\n  dtparam=i2c_arm=on , i2c_arm_baudrate=400000\n",
    ],
)
def test_a_bus_that_is_on_and_fast_is_left_alone(text: str) -> None:
    assert with_fast_i2c(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",
        "dtparam=i2c_arm=on\n",  # as raspi-config leaves it: 100 kHz
        "dtparam=i2c_arm=on,i2c_arm_baudrate=100000\n",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\ndtparam=i2c_arm=off\n",
        "[pi4]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n",  # only on a Pi 4
        "dtparam=i2c_arm_baudrate=400000\n",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=fast\n",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n[pi5]\n[all]\ndtparam=i2c_arm_baudrate=50000",
    ],
)
def test_what_is_missing_is_appended(text: str) -> None:
    assert with_fast_i2c(text) == text + ("\n" if text and not text.endswith("\n") else "") + BLOCK


def test_a_block_that_somebody_changed_is_left_alone() -> None:
    slower = with_fast_i2c("").replace("400000", "100000")
    assert with_fast_i2c(slower) == slower
    assert without_block(slower) == slower


@given(LINES)
def test_afterwards_the_bus_is_fast_and_nothing_is_done_twice(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    after = with_fast_i2c(text)
    assert is_fast(after)
    assert with_fast_i2c(after) == after
    assert after.startswith(text)
    assert without_block(after) == text
