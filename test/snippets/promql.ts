/** The metrics and labels that a PromQL expression uses. Handles only the expressions in this documentation. */
export function namesIn(expression: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = []
  const rest = expression
    .replaceAll(/\{((?:[^}"]|"(?:[^"\\]|\\.)*")*)\}/g, (_, selectors: string) => {
      for (const [, label] of selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"/g)) labels.push(label!)
      return ' '
    })
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, names: string) => {
      labels.push(...names.split(',').map((name) => name.trim()))
      return ' '
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
  const words = Array.from(rest.matchAll(/[a-z_:][\w:]*(?!\w|\s*\()/gi), ([word]) => word)
  return { metrics: words.filter((word) => !['or', 'and', 'unless'].includes(word)), labels }
}
