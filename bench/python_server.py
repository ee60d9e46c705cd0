"""The smallest MCP server in Python that can take a screenshot: what a Handrail user would write instead."""
import base64
import io
import json
import os
import sys

from PIL import Image, ImageGrab


def screenshot():
    image = ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).resize((1456, 819), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=75)
    return {"content": [{"type": "image", "mimeType": "image/jpeg",
                         "data": base64.b64encode(out.getvalue()).decode()}]}


def answer(message):
    if message["method"] == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "python", "version": "1"}}
    if message["method"] == "tools/list":
        return {"tools": [{"name": "screenshot", "inputSchema": {"type": "object"}}]}
    return screenshot()


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}), flush=True)
