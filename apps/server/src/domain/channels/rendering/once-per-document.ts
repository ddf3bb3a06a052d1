import type { ReportDocument } from '../../../model/report.ts'

/** Keeps what is rendered of a document as long as the document itself. A thousand recipients share one, and documents never change. */
export function oncePerDocument<Rendered>(render: (document: ReportDocument) => Rendered): (document: ReportDocument) => Rendered {
  const kept = new WeakMap<ReportDocument, { rendered: Rendered }>()
  return (document) => {
    const known = kept.get(document)
    if (known) return known.rendered
    const rendered = render(document)
    kept.set(document, { rendered })
    return rendered
  }
}
