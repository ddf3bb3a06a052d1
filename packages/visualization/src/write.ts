import type { ChartElement, ChartValue } from './chart-element.ts'

/** The text of a chart, formatted as a person would. `parseJsxConfig` reads the same chart from it. */
export function writeJsxConfig(root: ChartElement): string {
  return write(root, '')
}

function write({ name, props, children }: ChartElement, indent: string): string {
  const opening = [name, ...Object.entries(props).map(([key, value]) => writeProp(key, value))].join(' ')
  if (children.length === 0) return `${indent}<${opening} />`
  const inner = children.map((child) => write(child, `${indent}  `))
  return [`${indent}<${opening}>`, ...inner, `${indent}</${name}>`].join('\n')
}

function writeProp(name: string, value: ChartValue): string {
  if (value === true) return name
  // Quoted JSX text has entities but no escapes; text that might contain either is written as JavaScript.
  if (typeof value === 'string' && /^[^"&\\\p{C}\p{Zl}\p{Zp}]*$/u.test(value)) return `${name}="${value}"`
  return `${name}={${writeValue(value)}}`
}

function writeValue(value: ChartValue): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${writeValue(inner)}`)
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}
