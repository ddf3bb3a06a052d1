/** How to connect an assistant: a command to run or a configuration file. */
export interface AssistantSetup {
  name: 'claude-code' | 'claude-desktop' | 'codex' | 'cursor' | 'vs-code'
  label: string
  /** What to do with the text. */
  place: string
  text: string
}

/** Setups for common clients, each with the key in the recommended place. `docs/mcp.md` shows the same. */
export function assistantSetups({ url, key }: { url: string; key: string }): AssistantSetup[] {
  const authorization = `Bearer ${key}`
  return [
    {
      name: 'claude-code',
      label: 'Claude Code',
      place: 'Run:',
      text: `claude mcp add --transport http querypost ${url} --header "Authorization: ${authorization}"`,
    },
    {
      name: 'cursor',
      label: 'Cursor',
      place: 'In ~/.cursor/mcp.json:',
      text: json({ mcpServers: { querypost: { url, headers: { Authorization: authorization } } } }),
    },
    {
      name: 'vs-code',
      label: 'VS Code',
      place: 'In .vscode/mcp.json. VS Code asks for the key when it starts:',
      text: json({
        inputs: [{ type: 'promptString', id: 'querypost-key', description: 'Querypost API key', password: true }],
        servers: { querypost: { type: 'http', url, headers: { Authorization: `Bearer \${input:querypost-key}` } } },
      }),
    },
    {
      name: 'claude-desktop',
      label: 'Claude Desktop',
      place: 'In claude_desktop_config.json. The mcp-remote bridge is third-party software:',
      text: json({
        mcpServers: {
          querypost: {
            command: 'npx',
            args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${AUTHORIZATION}`],
            env: { AUTHORIZATION: authorization },
          },
        },
      }),
    },
    {
      name: 'codex',
      label: 'Codex',
      place: 'Run, with the key in the environment variable QUERYPOST_API_KEY:',
      text: `codex mcp add querypost --url ${url} --bearer-token-env-var QUERYPOST_API_KEY`,
    },
  ]
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
