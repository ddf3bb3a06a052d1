/**
 * Slack's documented rules for the blocks of a message (docs.slack.dev/reference/block-kit/blocks). Returns the first fault, or
 * null. Unknown types and fields are faults, so that a mistake cannot pass as an extension.
 */
export function faultInBlocks(blocks: unknown): string | null {
  if (!Array.isArray(blocks)) return 'blocks must be an array'
  if (blocks.length === 0 || blocks.length > 50) return `${blocks.length} blocks`
  // Not documented, but observed: more are refused as msg_blocks_too_long.
  if (JSON.stringify(blocks).length > 13_200) return 'msg_blocks_too_long'
  for (const [at, block] of blocks.entries()) {
    const fault = faultInBlock(block as Fields)
    if (fault !== null) return `${fault} [json-pointer:/blocks/${at}]`
  }
  return null
}

type Fields = Record<string, unknown>

function faultInBlock(block: Fields): string | null {
  switch (block['type']) {
    case 'header':
      return onlyFields(block, ['type', 'text']) ?? faultInText(block['text'], { max: 150, types: ['plain_text'] })
    case 'section':
      return faultInSection(block)
    case 'context':
      return onlyFields(block, ['type', 'elements']) ?? faultInList(block['elements'], 10, (element) => faultInText(element, { max: 3_000 }))
    case 'divider':
      return onlyFields(block, ['type'])
    case 'actions':
      return onlyFields(block, ['type', 'elements']) ?? faultInList(block['elements'], 25, faultInButton)
    default:
      return `unsupported type: ${String(block['type'])}`
  }
}

function faultInSection(block: Fields): string | null {
  if (block['text'] === undefined && block['fields'] === undefined) return 'a section needs text or fields'
  const unknown = onlyFields(block, ['type', 'text', 'fields'])
  if (unknown !== null) return unknown
  if (block['text'] !== undefined) return faultInText(block['text'], { max: 3_000 })
  return faultInList(block['fields'], 10, (field) => faultInText(field, { max: 2_000 }))
}

function faultInButton(element: unknown): string | null {
  const button = element as Fields
  if (button['type'] !== 'button') return `unsupported element: ${String(button['type'])}`
  const { url } = button as { url?: string }
  if (url !== undefined && (url.length > 3_000 || !URL.canParse(url))) return 'must be a valid url'
  return onlyFields(button, ['type', 'text', 'url']) ?? faultInText(button['text'], { max: 75, types: ['plain_text'] })
}

function faultInText(given: unknown, { max, types = ['plain_text', 'mrkdwn'] }: { max: number; types?: string[] }): string | null {
  const { type, text } = (given ?? {}) as { type?: string; text?: string }
  if (type === undefined || !types.includes(type)) return `a text of type ${String(type)}`
  if (typeof text !== 'string' || text.length === 0) return 'must be more than 0 characters'
  if (text.length > max) return `must be less than ${max + 1} characters`
  if (type === 'mrkdwn' && /<(?![^<>|]+\|[^<>]+>)/.test(text)) return 'an unescaped < outside of a link'
  return onlyFields(given as Fields, ['type', 'text'])
}

function faultInList(given: unknown, max: number, faultIn: (element: unknown) => string | null): string | null {
  if (!Array.isArray(given) || given.length === 0) return 'must have at least one element'
  if (given.length > max) return `no more than ${max} items allowed`
  return given.map(faultIn).find((fault) => fault !== null) ?? null
}

const onlyFields = (given: Fields, names: string[]) => {
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  return unknown === undefined ? null : `unknown field: ${unknown}`
}
