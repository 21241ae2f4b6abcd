"""A headless Chromium, and the pages that it opens."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = Path(tempfile.mkdtemp(prefix="beacontrace-pages-"))
atexit.register(shutil.rmtree, SCRATCH, True)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(0)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    skip("selenium for Python is missing (Debian: python3-selenium)")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    skip("Chromium or its driver is missing (Debian: chromium, chromium-driver)")

PROGRAM = os.environ.get("BEACONTRACE", str(ROOT / ".build/release/beacontrace"))
IBEACON = "ibeacon:b9407f30-f5f8-466e-aff9-25556b57fe6d"


def page(name, *words):
    """Lets the program make a page; gives where it is."""
    path = SCRATCH / name
    done = subprocess.run(
        [PROGRAM, "analyze", "-q", "--report", str(path), *words],
        cwd=ROOT / "Captures", capture_output=True, text=True)
    if done.returncode not in (0, 65):
        sys.exit(f"{name}: status {done.returncode}: {done.stderr}")
    return path


def lines(*words):
    """What the program says."""
    done = subprocess.run(
        [PROGRAM, *words], cwd=ROOT / "Captures", capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def browser(width=1280, height=900, dark=False, scripts=True):
    """A window of its own. Nothing that it asks a network for goes anywhere."""
    options = Options()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars", f"--window-size={width},{height}",
                 "--host-resolver-rules=MAP * ~NOTFOUND", "--lang=en"):
        options.add_argument(word)
    if not scripts:
        options.add_experimental_option(
            "prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    scheme = "dark" if dark else "light"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    return driver
