"""What things cost, measured; `make bench` prints it all."""
