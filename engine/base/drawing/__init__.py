"""Drawings in millimetres, as SVG and PDF. Knows neither a game nor a device."""
