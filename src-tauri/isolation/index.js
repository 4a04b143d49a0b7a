// Every call of the page passes through this frame, which has an origin of its own and encrypts it for the host. Only
// commands with the fields that the app uses go through; anything else becomes a command that does not exist, which the
// host refuses.

const FIELDS = ["request", "channel", "revision", "base", "patch"];
const CHANNEL_DATA = "plugin:__TAURI_CHANNEL__|fetch";

function isOwnCommand(message) {
  if (message.cmd === CHANNEL_DATA) return message.payload === null || message.payload === undefined;
  if (typeof message.cmd !== "string" || !/^[a-z_]+$/.test(message.cmd)) return false;
  const { payload } = message;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return false;
  return Object.keys(payload).every((key) => FIELDS.includes(key));
}

window.__TAURI_ISOLATION_HOOK__ = (message) => 
  isOwnCommand(message) ? message : { ...message, cmd: "not_a_command", payload: null };
