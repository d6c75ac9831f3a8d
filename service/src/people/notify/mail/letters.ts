import { type Language, wordsIn } from '@hypocaust/domain'

export interface Letter {
  subject: string
  text: string
  html: string
}

interface Content {
  subject: string
  paragraphs: string[]
  link: { label: string; url: string }
  footer: string
}

/** The same words twice: plain, and as the simplest HTML a mail program can show. */
export function letterOf(language: Language, { subject, paragraphs, link, footer }: Content): Letter {
  const text = [...paragraphs, `${link.label}:\n${link.url}`, `-- \n${footer}`].join('\n\n')
  const html = [
    `<!doctype html><html lang="${language}"><body style="font:16px/1.5 sans-serif;max-width:36em">`,
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    `<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`,
    `<p style="color:#666;font-size:14px">${escaped(footer)}</p>`,
    '</body></html>',
  ].join('\n')
  return { subject, text: `${text}\n`, html }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

export function invitationLetter(language: Language, { link, from }: { link: string; from: string }): Letter {
  const say = wordsIn(language)
  return letterOf(language, {
    subject: say('invitation.subject'),
    paragraphs: [say('invitation.text', { from }), say('invitation.once')],
    link: { label: say('invitation.label'), url: link },
    footer: say('invitation.footer'),
  })
}

/** The token stands behind `#`: a browser sends that part to nobody. */
export function resetLetter(language: Language, publicUrl: string, email: string, token: string): Letter {
  const say = wordsIn(language)
  return letterOf(language, {
    subject: say('reset.subject'),
    paragraphs: [say('reset.asked', { email }), say('reset.once')],
    link: { label: say('reset.label'), url: `${publicUrl}/reset-password#${new URLSearchParams({ token, email })}` },
    footer: say('reset.footer'),
  })
}
