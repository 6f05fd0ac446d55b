import { ExtensionContext, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** Starts the language server; the client stops it with the extension. */
export async function activate(context: ExtensionContext): Promise<void> {
  const [command, ...args] = workspace
    .getConfiguration("stablemate")
    .get<string[]>("command", ["stablemate", "lsp"]);
  const client = new LanguageClient(
    "stablemate",
    "stablemate",
    { command, args },
    { documentSelector: [{ language: "mlir" }, { language: "hlo" }] },
  );
  context.subscriptions.push({ dispose: () => void client.stop() });
  await client.start();
}
