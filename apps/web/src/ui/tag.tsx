/** A word beside a name. The space before it is for those who hear the page. */
export function Tag({ word }: { word: string }) {
  return <> <span className="tag">{word}</span></>
}
