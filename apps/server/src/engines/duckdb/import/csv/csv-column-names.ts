/** Names for the columns of a table: unique whatever their case, and never empty. Without a header, columns are numbered. */
export function columnNames(header: string[] | undefined, width: number): string[] {
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, index) => {
    const wanted = header?.[index]?.replace(/^\uFEFF/, '').trim() || `column_${index + 1}`
    let name = wanted
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted}_${number}`
    taken.add(name.toLowerCase())
    return name
  })
}
