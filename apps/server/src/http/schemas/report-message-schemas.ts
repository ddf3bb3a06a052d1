import { Type } from 'typebox'
import { described, NullableText, oneOf } from '../schemas.ts'

const SlackText = Type.Object({ type: oneOf(['mrkdwn', 'plain_text'] as const), text: Type.String() }, { title: 'SlackText' })

const SlackBlock = Type.Union(
  [
    Type.Object({ type: Type.Literal('header'), text: SlackText }),
    Type.Object({ type: Type.Literal('section'), text: SlackText }),
    Type.Object({ type: Type.Literal('section'), fields: Type.Array(SlackText) }),
    Type.Object({ type: Type.Literal('context'), elements: Type.Array(SlackText) }),
    Type.Object({ type: Type.Literal('divider') }),
    Type.Object({
      type: Type.Literal('actions'),
      elements: Type.Array(Type.Object({ type: Type.Literal('button'), text: SlackText, url: Type.String() })),
    }),
  ],
  { title: 'SlackBlock' },
)

const OpenUrl = Type.Object({ type: Type.Literal('Action.OpenUrl'), title: Type.String(), url: Type.String() }, { title: 'CardLink' })

const CardText = Type.Object(
  {
    type: Type.Literal('TextBlock'),
    text: Type.String({ description: 'Markdown: bold, italic, struck and links.' }),
    wrap: Type.Literal(true),
    size: Type.Optional(oneOf(['Small', 'Medium', 'Large', 'ExtraLarge'] as const)),
    weight: Type.Optional(Type.Literal('Bolder')),
    isSubtle: Type.Optional(Type.Literal(true)),
    color: Type.Optional(Type.Literal('Attention')),
    fontType: Type.Optional(Type.Literal('Monospace')),
    spacing: Type.Optional(oneOf(['None', 'Small'] as const)),
    separator: Type.Optional(Type.Literal(true)),
    horizontalAlignment: Type.Optional(Type.Literal('Right')),
  },
  { title: 'CardText' },
)

const CardElement = Type.Union(
  [
    CardText,
    Type.Object({ type: Type.Literal('Image'), url: Type.String(), altText: Type.String(), selectAction: OpenUrl }),
    Type.Object({
      type: Type.Literal('Table'),
      columns: Type.Array(Type.Object({ width: Type.Number() })),
      rows: Type.Array(
        Type.Object({
          type: Type.Literal('TableRow'),
          cells: Type.Array(Type.Object({ type: Type.Literal('TableCell'), items: Type.Array(CardText) })),
        }),
      ),
      firstRowAsHeader: Type.Boolean(),
    }),
  ],
  { title: 'CardElement' },
)

/** As the sender posts it. */
export const ReportMessage = Type.Union(
  [
    Type.Object({ kind: Type.Literal('email'), html: Type.String({ description: 'With its images inside.' }) }),
    Type.Object({
      kind: Type.Literal('slack'),
      text: Type.String({ description: 'For notifications.' }),
      blocks: Type.Array(SlackBlock),
      files: Type.Array(
        Type.Object({
          title: Type.String(),
          fileName: Type.String(),
          sizeBytes: Type.Integer(),
          image: described(NullableText, 'An image as a data URL. Null for other files.'),
        }),
        { description: 'Shared below the message.' },
      ),
    }),
    Type.Object({
      kind: Type.Literal('teams'),
      card: Type.Object({ body: Type.Array(CardElement), actions: Type.Array(OpenUrl) }),
    }),
    Type.Object({ kind: Type.Literal('webhook'), body: Type.String({ description: 'The event, in JSON.' }) }),
  ],
  { title: 'ReportMessage', description: 'What is sent: an e-mail, the blocks of a Slack message, the card of a Teams message, or an event.' },
)
