"""Lines of C and Markdown."""

WIDTH = 100


def wrap_c(line, indent="    "):
    """Breaks a declaration after commas, so that no line is longer than WIDTH."""
    pieces = line.split(", ")
    lines = [pieces[0]]
    for piece in pieces[1:]:
        # One more column for the comma or the semicolon that may follow the piece.
        if len(lines[-1]) + 2 + len(piece) + 1 > WIDTH:
            lines[-1] += ","
            lines.append(indent + piece)
        else:
            lines[-1] += ", " + piece
    return "\n".join(lines)
