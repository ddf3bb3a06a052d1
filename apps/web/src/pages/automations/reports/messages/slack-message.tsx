import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportMessage } from '../../../../api/reports.ts'
import { fileSize } from '../../../../ui/file-size.ts'
import { parseMrkdwn } from './parse-mrkdwn.ts'
import { OutsideLink, StyledText } from './styled-text.tsx'

type SlackMessageProps = Omit<ReportMessage & { kind: 'slack' }, 'kind'>
type Block = SlackMessageProps['blocks'][number]
type Text = Extract<Block, { text: unknown }>['text']

/** The blocks of a message as Slack shows them, with its files below. */
export function SlackMessage({ blocks, files }: SlackMessageProps) {
  return (
    <article className="grid grid-cols-[auto_minmax(0,1fr)] gap-3 rounded-md border border-line bg-surface p-4" aria-label="Slack message">
      <span className="grid size-9 place-items-center rounded-md bg-accent font-semibold text-on-accent" aria-hidden="true">Q</span>
      <div className="grid gap-2.5">
        <p className="flex items-baseline gap-1.5 leading-5">
          <strong className="font-semibold">Querypost</strong>
          <span className="rounded bg-raised px-1 text-[0.65rem] font-medium text-soft">APP</span>
        </p>
        {blocks.map((block, at) => <BlockView key={at} block={block} />)}
        {files.map((file, at) => <FileView key={at} file={file} />)}
      </div>
    </article>
  )
}

function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.type) {
    case 'header':
      return <h3 className="text-lg leading-6 font-bold [overflow-wrap:anywhere]">{block.text.text}</h3>
    case 'section':
      if ('text' in block) return <TextView text={block.text} />
      return <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">{block.fields.map((field, at) => <TextView key={at} text={field} />)}</div>
    case 'context':
      return <div className="text-xs text-soft">{block.elements.map((text, at) => <TextView key={at} text={text} />)}</div>
    case 'divider':
      return <hr className="border-line" />
    case 'actions':
      return (
        <div className="flex flex-wrap gap-2">
          {block.elements.map(({ text, url }) => (
            <OutsideLink key={url} href={url} className="rounded-md border border-line-strong px-3 py-1.5 font-medium">{text.text}</OutsideLink>
          ))}
        </div>
      )
  }
}

function TextView({ text }: { text: Text }) {
  if (text.type === 'plain_text') return <p className="[overflow-wrap:anywhere]">{text.text}</p>
  return (
    <div className="grid content-start [overflow-wrap:anywhere]">
      {parseMrkdwn(text.text).map((part, at) =>
        part.kind === 'code' ? (
          <pre key={at} className="my-1 overflow-x-auto rounded-md border border-line bg-raised p-2 font-mono text-xs" tabIndex={0}>{part.text}</pre>
        ) : (
          <p key={at} className="min-h-[0.6em] whitespace-pre-wrap"><StyledText inlines={part.children} /></p>
        ),
      )}
    </div>
  )
}

function FileView({ file: { title, fileName, sizeBytes, image } }: { file: SlackMessageProps['files'][number] }) {
  if (image !== null) {
    return (
      <figure className="grid gap-1">
        <figcaption className="text-xs text-soft">{title}</figcaption>
        <img src={image} alt={title} className="max-w-full justify-self-start rounded-md border border-line" />
      </figure>
    )
  }
  return (
    <p className="flex items-center gap-2 justify-self-start rounded-md border border-line px-3 py-2">
      <FileText className="size-4 text-soft" aria-hidden="true" />
      <span className="font-medium [overflow-wrap:anywhere]">{fileName}</span> <span className="text-xs text-soft">{fileSize(sizeBytes)}</span>
    </p>
  )
}
