"""What is left in the working set when the question is asked. One arm a file."""
