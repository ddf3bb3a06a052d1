import type { ChartElement, ChartProps } from './chart-element.ts'
import { refuse } from './chart-fault.ts'
import { type JsxNode, parseElement } from './jsx-node.ts'
import { readValue } from './read-value.ts'
import { chartElements, partElements, propNames, styleProps } from './vocabulary.ts'

/**
 * A *jsxConfig* is a chart written as JSX: one chart element with its parts, every prop a literal. It is parsed into a tree of
 * plain data and never evaluated. Anything the tree cannot express (names, calls, functions, spreads, templates) is rejected, and
 * so is every element and prop not listed in `vocabulary.ts`.
 */
const maxLength = 20_000
const maxElements = 200
const maxElementDepth = 8

/** Throws a `ChartFault` that says what is wrong and where. */
export function parseJsxConfig(text: string): ChartElement {
  if (text.length > maxLength) refuse(`is longer than ${maxLength} characters`)
  const root = parseElement(text)
  let elementCount = 0

  function readElement(node: JsxNode, depth: number): ChartElement {
    elementCount++
    if (elementCount > maxElements) refuse(`has more than ${maxElements} elements`, node)
    if (depth > maxElementDepth) refuse(`nests elements more than ${maxElementDepth} deep`, node)
    const opening = node.openingElement!
    const name = opening.name as JsxNode
    const allowed = depth === 1 ? chartElements : partElements
    if (name.type !== 'JSXIdentifier' || !allowed.has(name.name as string)) {
      refuse(`${depth === 1 ? 'must begin with' : 'may contain only'} one of ${[...allowed].join(', ')}`, name)
    }
    return {
      name: name.name as string,
      props: readProps(opening.attributes!),
      children: node.children!.flatMap((child) => readChild(child, depth + 1)),
    }
  }

  function readChild(child: JsxNode, depth: number): ChartElement[] {
    if (child.type === 'JSXElement') return [readElement(child, depth)]
    if (child.type === 'JSXText' && (child.value as string).trim() === '') return []
    return refuse('may contain only elements: no text, no {…} between them, no fragments', child)
  }

  return readElement(root, 1)
}

function readProps(attributes: JsxNode[]): ChartProps {
  const props = new Map<string, ChartProps[string]>()
  for (const attribute of attributes) {
    const nameNode = attribute.name as JsxNode | undefined
    if (attribute.type !== 'JSXAttribute' || nameNode?.type !== 'JSXIdentifier') {
      refuse('may give props only one by one, as name="text" or name={literal}', attribute)
    }
    const name = nameNode.name as string
    if (!propNames.has(name)) refuse(`may not have the prop "${name}"`, attribute)
    if (props.has(name)) refuse(`has the prop "${name}" twice on one element`, attribute)
    const value = readPropValue(attribute.value as JsxNode | null, name)
    if (styleProps.has(name) && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      refuse(`must give "${name}" as an object`, attribute)
    }
    props.set(name, value)
  }
  return Object.fromEntries(props)
}

function readPropValue(node: JsxNode | null, name: string) {
  if (node === null) return true
  return readValue(node.type === 'JSXExpressionContainer' ? node.expression! : node, { name, depth: 1 })
}
