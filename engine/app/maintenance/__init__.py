"""What a builder needs: the doctor, the self-test of a board, the teaching of a tagged deck."""
