// node pyodide.mjs PYODIDE SCRIPT FOLDER WORD…: run the Python file SCRIPT by the Python in the folder PYODIDE.
// That Python runs in WebAssembly and sees FOLDER alone of this machine; it is told its name there in FOLDER's place.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const HERE = "/package";
const [pyodide, script, folder, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide();
python.FS.mkdirTree(HERE);
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, HERE);
try {
  python.globals.set("words", python.toPy([script, HERE, ...words]));
  python.runPython("import sys; sys.argv = words");
  python.runPython(readFileSync(script, "utf8"), { filename: script });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
