/** The text, or its beginning with an ellipsis if it is longer than `maxLength`. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`
}
