"""What a Python agent does for a screenshot: grab, resize to the model's limit, JPEG, base64.

`pillow_peer.py once` does it one time in a fresh process; without a word it answers each line
("lanczos" or "box") with the milliseconds of one shot.
"""
import base64
import io
import os
import sys
import time

from PIL import Image, ImageGrab

SIZES = {(1920, 1080): (1456, 819), (3840, 2160): (1456, 819)}


def shot(resampling):
    image = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
    image = image.resize(SIZES[image.size], resampling)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=75)
    return base64.b64encode(out.getvalue())


def main():
    filters = {"lanczos": Image.Resampling.LANCZOS, "box": Image.Resampling.BOX}
    if sys.argv[1:] == ["once"]:
        sys.stdout.write(str(len(shot(filters["lanczos"]))))
        return
    for line in sys.stdin:
        start = time.perf_counter()
        shot(filters[line.strip()])
        print((time.perf_counter() - start) * 1e3, flush=True)


if __name__ == "__main__":
    main()
