// As texts, not as modules: the documentation shows the same files, and tests of the repository run them (test/snippets).
const files = import.meta.glob<string>('../../../../../docs/webhooks/receivers/*/*', { query: '?raw', import: 'default', eager: true })

/** A whole receiver in one of the languages that receivers are written in. */
export interface Snippet {
  name: string
  label: string
  /** How to get what it needs, where it needs anything. */
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

/** They begin by saying what they are for, and so also for which endpoint: each has a secret of its own. */
export function snippetsFor(endpointId: string): Snippet[] {
  return receivers.map((receiver) => {
    const [, text = ''] = Object.entries(files).find(([file]) => file.includes(`/receivers/${receiver.name}/`)) ?? []
    const named = text.replace('webhooks from Querypost', `webhooks from Querypost (endpoint ${endpointId})`)
    return Object.assign({ text: named }, receiver)
  })
}
