import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { QuerypostEmbed } from '@querypost/embed/react'

/** A page that embeds a board as a React component. The attribute of the root says which. */
const root = document.getElementById('root')!

function Page() {
  const [isDark, setIsDark] = useState(false)
  const [title, setTitle] = useState('Nothing yet')
  return createElement(
    'main',
    null,
    createElement('h1', null, title),
    createElement('button', { onClick: () => setIsDark(true) }, 'Dark'),
    createElement(QuerypostEmbed, {
      src: root.dataset['src']!,
      getToken: async () => (await fetch('/token')).text(),
      theme: { colorScheme: isDark ? 'dark' : 'light' },
      onReady: (ready) => setTitle(`${ready.title} is shown`),
    }),
  )
}

createRoot(root).render(createElement(Page))
