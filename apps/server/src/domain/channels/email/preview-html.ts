import type { RenderedReport } from '../../../model/report.ts'
import { contentIdOf, renderEmailHtml } from './render-html.ts'

/** The HTML of a report's e-mail with its images inside, to be shown in a browser. It lacks the link to unsubscribe, which is the recipient's. */
export function previewEmailHtml({ document, images }: Pick<RenderedReport, 'document' | 'images'>): string {
  const html = renderEmailHtml(document, { unsubscribeUrl: null })
  return [...images].reduce(
    (shown, [id, bytes]) => shown.replaceAll(`src="cid:${contentIdOf(id)}"`, `src="data:image/png;base64,${Buffer.from(bytes).toString('base64')}"`),
    html,
  )
}
