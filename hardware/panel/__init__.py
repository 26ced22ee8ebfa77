"""The panel: four keys, a buzzer and the small display with its pictures."""
