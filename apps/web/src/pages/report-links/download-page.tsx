import { useQuery } from '@tanstack/react-query'
import { Download, FileDown } from 'lucide-react'
import { useState } from 'react'
import { type ReportLink, reportFileUrl, reportLinkOptions } from '../../api/report-links.ts'
import { buttonClass } from '../../ui/button.tsx'
import { fileSize } from '../../ui/file-size.ts'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { OpenedLink, tokenInUrl } from '../sign-in/opened-link.tsx'
import { WrongLink } from './wrong-link.tsx'

/** `/reports/download#<token>`: a file that was too large for a report. For anyone who has the link. */
export function DownloadPage() {
  useTitle('Download')
  const [token] = useState(tokenInUrl)
  const query = useQuery(reportLinkOptions(token))
  return (
    <OpenedLink query={query}>
      {(link) => (link.kind === 'download' ? <ReportFile token={token} file={link} /> : <WrongLink />)}
    </OpenedLink>
  )
}

function ReportFile({ token, file }: { token: string; file: ReportLink & { kind: 'download' } }) {
  const { fileName, organizationName, sizeBytes, expiresAt } = file
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <FileDown className="mb-2 size-7 text-accent" aria-hidden="true" />
        <h1 className="[overflow-wrap:anywhere]">{fileName}</h1>
        <p className="text-soft">
          From a report of {organizationName}.{sizeBytes !== null && ` ${fileSize(sizeBytes)}.`} Available until <Time at={expiresAt} />.
        </p>
      </div>
      <a className={buttonClass({ kind: 'primary' })} href={reportFileUrl(token)} download={fileName}>
        <Download aria-hidden="true" />
        Download
      </a>
    </div>
  )
}
