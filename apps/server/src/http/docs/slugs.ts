/**
 * Names for headings as GitHub gives them, so that a link to a section leads to the same place there and here. One
 * maker for each page: a name that is taken gets a number.
 */
export function makeSlugs(): (heading: string) => string {
  const taken = new Set<string>()
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let name = slug
    for (let count = 1; taken.has(name); count++) name = `${slug}-${count}`
    taken.add(name)
    return name
  }
}
