"""The explorer in a real browser: type, press keys, click, read what is there. Skipped where there is no chromium."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import urlsplit

import pytest

import pdobasis

pytest.importorskip("nicegui")
selenium = pytest.importorskip("selenium")
CHROMIUM, DRIVER = which("chromium"), which("chromedriver")
PATIENCE = 40
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with its driver")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    words = [sys.executable, "-m", "pdobasis", "explore", "--no-browser"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found is not None
    # it listens already, and answers when it is ready
    yield found[0]
    server.terminate()
    server.wait(10)
    server.stdout.close()


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads: Path) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.binary_location = str(CHROMIUM)
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.set_window_size(1280, 1000)
    allowed = {"behavior": "allow", "downloadPath": str(downloads)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    yield driver
    driver.quit()


def until(found: Callable[[], Any]) -> Any:
    """What is found once it is there."""
    started = time.monotonic()
    while time.monotonic() - started < PATIENCE:
        if value := found():
            return value
        time.sleep(0.1)
    pytest.fail(f"nothing came within {PATIENCE} s")


def text(browser: Any, where: str) -> str:
    return " ".join(part.text for part in browser.find_elements("css selector", where))


def said(browser: Any, words: str) -> str:
    return str(until(lambda: (told := text(browser, ".said")) and words in told and told))


def type_into(browser: Any, name: str, words: str) -> None:
    from selenium.webdriver.common.keys import Keys

    field = browser.find_element("css selector", f'input[name="{name}"]')
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(words, Keys.ENTER)


def status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_strangers_are_refused(address: str) -> None:
    plain = address.partition("?")[0]
    assert status(address) == 200
    assert status(plain) == 403
    assert status(plain + "?token=guess") == 403
    assert status(address, Host="evil.example:80") == 403
    assert status(address, Origin="http://evil.example") == 403
    assert status(plain + "_nicegui_ws/socket.io/?EIO=4&transport=polling") == 403


@needs_browser
def test_a_question_is_answered_and_another_typed(browser: Any, address: str) -> None:
    browser.get(address)
    said(browser, "6 operators")
    type_into(browser, "group", "SO(2)")
    type_into(browser, "in_rep", "vector")
    said(browser, "2 operators")
    headings = until(lambda: "divergence" in text(browser, ".card h3") and text(browser, ".card h3"))
    assert "curl" in headings
    assert browser.find_elements("css selector", ".card math")
    assert "complete: character integral" in text(browser, ".proof")
    until(lambda: "1−t²" in text(browser, ".small-print"))


@needs_browser
def test_wrong_words_are_answered_and_never_executed(browser: Any, address: str) -> None:
    browser.get(address)
    said(browser, "6 operators")
    type_into(browser, "group", "D8x")
    said(browser, "unknown group")
    assert not browser.find_element("css selector", ".found h2").is_displayed()
    type_into(browser, "group", "<img src=x onerror=window.caught=1>")
    said(browser, "<img src=x")
    assert browser.execute_script("return window.caught") is None
    type_into(browser, "group", "files.yaml")
    said(browser, "reads no files")
    browser.get(address + "&group=Ih&in=regular&out=regular&order=12")
    said(browser, "lower the order")
    browser.get(address + "&order=two")
    said(browser, "no number")
    browser.get(address + "&stencil=foo")
    said(browser, "none of fd, rbffd, gauss")


@needs_browser
def test_a_page_that_was_cut_off_comes_back_with_its_question(browser: Any, address: str) -> None:
    """A busy machine: the connection is lost for longer than NiceGUI waits by itself, after a question was refused."""
    browser.get(address)
    said(browser, "6 operators")
    type_into(browser, "group", "D9999")
    assert "pdobasis solve --max-elements" in said(browser, "D9999 has at least")
    browser.execute_script("window.socket.disconnect()")
    time.sleep(5)
    browser.execute_script("window.socket.connect()")
    time.sleep(3)
    said(browser, "D9999 has at least")
    # so it is when it is loaded anew
    browser.refresh()
    said(browser, "D9999 has at least")
    type_into(browser, "group", "C4")
    said(browser, "6 operators, 4 → 1")


@needs_browser
def test_the_address_follows_the_sliders(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.get(address + "&group=D4&in=vector&order=1")
    said(browser, "1 operator")
    browser.find_element("css selector", '[aria-label="size"]').send_keys(Keys.ARROW_RIGHT)
    until(lambda: browser.current_url.endswith("?group=D4&in=vector&order=1&size=7"))
    # the link is written in a message of its own, after that of the address
    link = browser.find_element("css selector", 'input[name="link"]')
    until(lambda: link.get_property("value").endswith("&size=7"))


@needs_browser
def test_stencils_follow_their_sliders_by_keyboard(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.get(address + "&group=D4&in=vector&order=1")
    said(browser, "1 operator")
    squares = "figure svg[shape-rendering] rect"
    until(lambda: len(browser.find_elements("css selector", squares)) == 2 * 25)
    slider = browser.find_element("css selector", '[aria-label="size"]')
    slider.send_keys(Keys.ARROW_RIGHT)
    until(lambda: len(browser.find_elements("css selector", squares)) == 2 * 49)
    assert len(browser.find_elements("css selector", ".polar .dot")) == 4
    before = text(browser, '[role="status"]')
    angle = browser.find_element("css selector", '[aria-label="turn"]')
    angle.send_keys(Keys.ARROW_RIGHT)
    until(lambda: "turned by 180°" in text(browser, '[role="status"]'))
    assert "turned by 90°" in before
    # a half turn keeps the grid: only rounding is left
    error = re.search(r"differ by (\S+)", text(browser, '[role="status"]'))
    assert error is not None
    assert float(error[1]) < 1e-12


@needs_browser
def test_the_catalogue_and_own_matrices(browser: Any, address: str) -> None:
    browser.get(address + "&in=trivial")
    said(browser, "2 operators")
    browser.find_element("xpath", "//*[contains(text(), 'Catalogue')]").click()
    until(lambda: browser.find_elements("css selector", '[aria-label="group O(2)"] svg'))
    browser.execute_script("document.querySelector('[aria-label=\"group Oh\"]').click()")
    until(lambda: browser.find_element("css selector", 'input[name="group"]').get_property("value") == "Oh")
    # the catalogue above may still be folding: a click by place would hit what passes by
    own_matrices = browser.find_element("xpath", "//*[contains(text(), 'Own matrices')]")
    browser.execute_script("arguments[0].click()", own_matrices)
    own = until(lambda: [f for f in browser.find_elements("css selector", "textarea") if f.is_displayed()])[0]
    own.send_keys("t = -1 0; 0 -1")
    type_into(browser, "in_rep", "trivial")
    until(lambda: "Molien count over 2 elements" in text(browser, ".proof"))


@needs_browser
def test_files_and_links_say_what_the_page_shows(browser: Any, address: str, downloads: Path) -> None:
    browser.get(address + "&group=C4&in=vector&out=vector&order=1&stencil=fd&size=3")
    said(browser, "2 operators")
    until(lambda: browser.find_elements("css selector", "figure svg[shape-rendering]"))
    for words, name in (("npz", "pdobasis.npz"), ("tex", "pdobasis.tex"), ("py", "pdobasis_question.py")):
        browser.find_element("xpath", f"//button[contains(., '(.{words})')]").click()
        until((downloads / name).exists)
    from pdobasis.files.formats import load

    wanted = pdobasis.solve("C4", "vector", "vector", order=1).stencils("fd", size=3)
    assert (load(downloads / "pdobasis.npz").stencils == wanted).all()
    link = browser.find_element("css selector", 'input[name="link"]').get_property("value")
    assert link == "?group=C4&in=vector&out=vector&order=1&stencil=fd&size=3"
    assert urlsplit(browser.current_url).query == link.removeprefix("?")
    assert "pdobasis.solve('C4', 'vector', 'vector', order=1)" in text(browser, "pre")


@needs_browser
def test_everything_has_a_name_and_can_be_reached_by_tab(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.get(address + "&group=D4&in=vector&order=1")
    said(browser, "1 operator")
    until(lambda: browser.find_elements("css selector", "figure svg[shape-rendering]"))
    names = []
    for _ in range(30):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        here = browser.switch_to.active_element
        names.append(here.accessible_name)
    wanted = [
        "Group",
        "Input",
        "Output",
        "Order",
        "Method",
        "Solve",
        "Operator",
        "Stencil",
        "size",
        "σ",
        "turn",
        "(.npz)",
    ]
    places = [next((k for k, name in enumerate(names) if word.lower() in name.lower()), -1) for word in wanted]
    assert -1 not in places, names
    # the document itself is between the last and the first
    assert names.count("") <= 1, names
    assert places == sorted(places), names


@needs_browser
def test_a_phone_sees_it_whole_and_nothing_comes_from_elsewhere(browser: Any, address: str) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        browser.get(address)
        said(browser, "6 operators")
        until(lambda: browser.find_elements("css selector", "figure svg[shape-rendering]"))
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
        loaded = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    origin = "{0.scheme}://{0.netloc}/".format(urlsplit(address))
    assert loaded
    assert [name for name in loaded if not name.startswith((origin, "data:", "blob:"))] == []
