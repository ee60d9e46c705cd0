"""Text read from a screen of about 900 words and from one of many sizes, beside Tesseract's own command line; and the
cost of marks."""
from collections import Counter
import json
import os
import resource
import subprocess
import tempfile
import time

COMMANDS = (("tesseract --psm 11", {}), ("tesseract, one thread", {"OMP_THREAD_LIMIT": "1"}))


def processor_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def tesseract(picture, limit):
    """Milliseconds, those of the processor, and how many of the words beside the picture it missed, in percent."""
    used, start = processor_of_children(), time.perf_counter()
    done = subprocess.run(["tesseract", picture, "-", "--psm", "11"], check=True, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL, env={**os.environ, **limit})
    took, used = (time.perf_counter() - start) * 1e3, processor_of_children() - used
    with open(picture + ".words", encoding="utf-8") as drawn:
        words = Counter(drawn.read().split())
    return took, used, 100 * (words - Counter(done.stdout.split())).total() / words.total()


def measure(results, programs, rounds):
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "screen.ppm")
        with subprocess.Popen([programs.reading, picture], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as reader:
            for turn in range(rounds):
                reader.stdin.write("\n")
                reader.stdin.flush()
                took = json.loads(reader.stdout.readline())
                for name in ("cold", "changed", "unchanged"):
                    results.add("reading 1080p", f"handrail {name}", took[name])
                results.add("reading 640x220", "handrail, first text", took["region_cold"])
                results.add("reading 640x220", "handrail, engine loaded", took["region"])
                results.add("reading 1080p, processor", "handrail cold", took["processor"])
                results.add("words missed %", "handrail", 100 * took["missed"] / took["words"])
                results.add("words missed %, many sizes", "handrail",
                            100 * took["varied_missed"] / took["varied_words"])
                results.add("marks", "handrail", took["marks"])
                for name, limit in COMMANDS:
                    wall, used, missed = tesseract(picture, limit)
                    results.add("reading 1080p", name, wall)
                    results.add("reading 1080p, processor", name, used)
                    results.add("words missed %", name, missed)
                if turn == 0:
                    name, limit = COMMANDS[1]
                    results.add("words missed %, many sizes", name, tesseract(picture + ".varied.ppm", limit)[2])
            reader.stdin.close()
