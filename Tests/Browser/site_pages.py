"""The pages that are tried: a walk, a site with a track and hostile names, and two small captures."""

import math

from browser import IBEACON, SCRATCH, lines, page

# What a name could be that wants to be more than a name.
HOSTILE = "</script><img src=x onerror=window.wasFooled=1>\"'&\u202eevil\x1b[31m"
# A region's name ends at the first equals sign.
HOSTILE_NAME = "</script><script>wasFooled()</script>\"'&\u202ereversed"


def track():
    """A way around two circles, in the time of the walk."""
    points = []
    for second in range(0, 900, 3):
        turn = second / 900 * 2 * math.pi
        latitude = 48.2049 + 0.0009 * math.sin(turn)
        longitude = 16.3601 + 0.0016 * math.cos(turn)
        points.append(
            f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">'
            f"<time>2026-05-19T10:{second // 60:02}:{second % 60:02}Z</time></trkpt>")
    path = SCRATCH / "walk.gpx"
    path.write_text(
        '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
        + "".join(points) + "</trkseg></trk></gpx>")
    return path


def hostile_rule():
    """A plugin whose alert says things that are markup elsewhere."""
    path = SCRATCH / "hostile.lua"
    quoted = HOSTILE.replace("\\", "\\\\").replace('"', '\\"').replace("\x1b", "\\27")
    path.write_text(
        'plugin { version = "1" }\n'
        'on("enter", function(e)\n'
        f'  alert {{ severity = "warning", title = "{quoted}", text = "{quoted}", evidence = e }}\n'
        "end)\n")
    return path


WALK_OPTIONS = [
    "--region", f"hall={IBEACON}:1", "--region", f"gallery={IBEACON}:4",
    "--region", f"cellar={IBEACON}:77",
]
WALK = "museum-walk.btsnoop.gz"


def months_apart():
    """The same site in May and in September."""
    scenario = lines("synth", "--print-scenario", "museum")
    made = []
    for month in ("05", "09"):
        path = SCRATCH / f"{month}.json"
        path.write_text("\n".join(scenario).replace("2026-05-19T", f"2026-{month}-19T"))
        made.append(str(SCRATCH / f"{month}.btsnoop"))
        lines("synth", "--scenario", str(path), "-o", made[-1])
    return made


def dense_rule():
    """A plugin whose alerts lie nearer to each other than a line of time has room for."""
    path = SCRATCH / "dense.lua"
    path.write_text(
        'plugin { version = "1" }\n'
        "every(2, function(now)\n"
        '  alert { severity = now % 10 < 2 and "warning" or "info", title = "again" }\n'
        "end)\n")
    return path


def pages():
    return {
        "dense": page("dense.html", *WALK_OPTIONS, "--plugin", str(dense_rule()), WALK),
        "walk": page("walk.html", *WALK_OPTIONS, "--plugin", "../plugins/cloned-identity.lua", WALK),
        "site": page(
            "site.html", "--region", "plaza=circle:48.2058,16.3601,60",
            "--region", f"{HOSTILE_NAME}={IBEACON}:4", "--track", str(track()),
            "--plugin", str(hostile_rule()), WALK),
        "apart": page("apart.html", *months_apart()),
        "load": page("load.html", "recorded/load.pcap.gz"),
        "positions": page("positions.html", "museum/pcap-192-ppi-gps.pcap"),
    }
