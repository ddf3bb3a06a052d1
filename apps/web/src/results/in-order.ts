/** Puts the elements in order, after those that their parent has beside them. Moves only those that are out of order. */
export function inOrder(parent: HTMLElement, elements: { element: HTMLElement; at: number }[]): void {
  const sorted = elements.toSorted((a, b) => a.at - b.at)
  let next = parent.children[parent.children.length - sorted.length] ?? null
  for (const { element } of sorted) {
    if (element === next) next = next.nextElementSibling
    else parent.insertBefore(element, next)
  }
}
