// Two passages side by side, by themselves.

import { mountingDrawn } from "./mounting.js";
import { drawPassages } from "./passages.js";

export default mountingDrawn("pair-of-passages", (root, data) => root.replaceChildren(drawPassages(data)));
