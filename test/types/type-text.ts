import type { JsonSchema } from './openapi-document.ts'

/** The TypeScript type of a JSON schema, as text. */
export function typeText(schema: JsonSchema, indent = ''): string {
  if (schema.$ref) return typeName(schema.$ref.split('/').at(-1)!)
  if (schema.enum) return schema.enum.map((value) => literalText(value)).join(' | ')
  if (schema.const !== undefined) return literalText(schema.const)
  if (schema.anyOf) return schema.anyOf.map((each) => typeText(each, indent)).join(' | ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'unknown'
  return types.map((type) => typeOfKind(type, schema, indent)).join(' | ')
}

function typeOfKind(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeText(schema.items ?? {}, indent)
      return schema.items?.anyOf || (/[ |]/.test(item) && !item.startsWith('{')) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectText(schema, indent)
    default:
      throw new Error(`No TypeScript type for a schema of type ${type}.`)
  }
}

function objectText(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties)
  if (names.length === 0) {
    if (typeof additionalProperties === 'object') return `Record<string, ${typeText(additionalProperties, indent)}>`
    return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
  }
  const inner = `${indent}  `
  const fields = names.map((name) => {
    const optional = required.includes(name) ? '' : '?'
    const field = properties[name]!
    return `${comment(field.description, inner)}${inner}${keyText(name)}${optional}: ${typeText(field, inner)}\n`
  })
  const others = additionalProperties === true ? `${inner}[key: string]: unknown\n` : ''
  return `{\n${fields.join('')}${others}${indent}}`
}

/** Avoids shadowing the built-in `Error`. */
export const typeName = (name: string) => (name === 'Error' ? 'ErrorBody' : name)

export const keyText = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literalText(name))

export function literalText(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

/** Formats a description as a comment of at most 120 columns. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const safe = text.replaceAll('*/', '*\\/')
  if (safe.length + indent.length <= 110) return `${indent}/** ${safe} */\n`
  const lines: string[] = []
  let line = ''
  for (const word of safe.split(/\s+/)) {
    if (line && indent.length + line.length + word.length > 110) {
      lines.push(line)
      line = ''
    }
    line = line ? `${line} ${word}` : word
  }
  return `${indent}/**\n${[...lines, line].map((each) => `${indent} * ${each}\n`).join('')}${indent} */\n`
}
