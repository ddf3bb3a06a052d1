const nameMaxLength = 64
const slugMaxLength = 24
const separator = '__'

/**
 * Builds names for the tools of many servers in the form models accept: letters, digits, `_` and `-`, at most 64. Each starts with its
 * connector's name and two underscores, which no built-in tool has, and each is unique.
 */
export function makeToolNames(): (connector: string, tool: string) => string {
  const given = new Set<string>()
  return (connector, tool) => {
    const plain = `${slugOf(connector)}${separator}${tool.replaceAll(/[^a-zA-Z0-9_-]+/g, '_')}`
    let name = plain.slice(0, nameMaxLength)
    for (let number = 2; given.has(name); number++) {
      const ending = `_${number}`
      name = plain.slice(0, nameMaxLength - ending.length) + ending
    }
    given.add(name)
    return name
  }
}

function slugOf(connector: string): string {
  const letters = connector.normalize('NFKD').toLowerCase().replaceAll(/\p{M}+/gu, '')
  const slug = letters.replaceAll(/[^a-z0-9]+/g, '_').slice(0, slugMaxLength).replaceAll(/^_+|_+$/g, '')
  return slug === '' ? 'connector' : slug
}
