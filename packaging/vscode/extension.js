// Starts `doilinks server` for VS Code, which has no client for servers by itself.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The command of the settings, else the Python that the user has selected, else that of the PATH.
async function command() {
  const own = vscode.workspace.getConfiguration("doilinks").get("command");
  if (own.length) return own;
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python) {
    const { environments } = (await python.activate()) ?? python.exports;
    const selected = await environments.resolveEnvironment(environments.getActiveEnvironmentPath());
    const path = selected?.executable.uri?.fsPath;
    if (path) return [path, "-m", "doilinks", "server"];
  }
  return ["doilinks", "server"];
}

exports.activate = async (context) => {
  const [program, ...args] = await command();
  const documents = [{ scheme: "file" }, { scheme: "untitled" }];
  const settings = { check: vscode.workspace.getConfiguration("doilinks").get("check") };
  client = new LanguageClient(
    "doilinks", "doilinks", { command: program, args },
    { documentSelector: documents, initializationOptions: settings, synchronize: { configurationSection: "doilinks" } },
  );
  context.subscriptions.push(client);
  try {
    await client.start();
  } catch (error) {
    const install = 'pip install "doilinks[server]"';
    vscode.window.showErrorMessage(`doilinks: ${program} does not start (${error.message}). In its Python: ${install}`);
  }
};

exports.deactivate = () => client?.stop();
