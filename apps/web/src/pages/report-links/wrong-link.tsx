/** A valid link at the address of another page. */
export function WrongLink() {
  return (
    <div className="grid gap-1">
      <h1>Invalid link</h1>
      <p className="text-soft">Open the link in the e-mail again.</p>
    </div>
  )
}
