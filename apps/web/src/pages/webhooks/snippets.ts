// Imported as text: the documentation shows the same files, and test/snippets runs them.
const files = import.meta.glob<string>('../../../../../docs/webhooks/receivers/*/*', { query: '?raw', import: 'default', eager: true })

/** A complete receiver in one language. */
export interface Snippet {
  name: string
  label: string
  /** The command that installs its dependencies, if any. */
  install?: string
  text: string
}

const receivers = [
  { name: 'typescript', label: 'TypeScript', install: 'npm install @querypost/webhooks' },
  { name: 'node', label: 'Node.js' },
  { name: 'python', label: 'Python' },
  { name: 'go', label: 'Go' },
  { name: 'ruby', label: 'Ruby', install: 'gem install puma' },
  { name: 'php', label: 'PHP' },
  { name: 'java', label: 'Java' },
]

/** Names the endpoint in the opening comment of each snippet, because every endpoint has its own secret. */
export function snippetsFor(endpointId: string): Snippet[] {
  return receivers.map((receiver) => {
    const [, text = ''] = Object.entries(files).find(([file]) => file.includes(`/receivers/${receiver.name}/`)) ?? []
    const named = text.replace('webhooks from Querypost', `webhooks from Querypost (endpoint ${endpointId})`)
    return Object.assign({ text: named }, receiver)
  })
}
