"""Board pictures: one module a game, each with `draw(view, names, words) -> bytes`, an encoded image.

Screens import their game's module when they draw: it loads Pillow, which a cold start that draws nothing should not
pay for. The shared parts know no game: `palette` (colours), `scripts` (names in any script), `fonts` (the bundled
font), `canvas` (drawing and encoding), `cards` (sprites), `layout` (where things stand), `seats` (a player's panel) and
`header` (the strip above them).
"""
