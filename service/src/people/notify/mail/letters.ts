import type { Language } from '@hypocaust/domain'

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

const RESET = {
  en: {
    subject: 'A new password for Hypocaust',
    asked: (email: string) => `A new password was requested for ${email}.`,
    once: 'The link can be used once, within an hour. Setting a new password ends all sessions; two-factor authentication stays on.',
    label: 'Choose a new password',
    footer: 'If you did not request it, ignore this mail. Your password stays the same.',
  },
  de: {
    subject: 'Ein neues Passwort für Hypocaust',
    asked: (email: string) => `Jemand, hoffentlich du, hat um ein neues Passwort für ${email} gebeten.`,
    once: 'Der Link gilt einmal und eine Stunde lang. Ein neues Passwort beendet alle Sitzungen; die Zwei-Faktor-Anmeldung bleibt eingeschaltet.',
    label: 'Ein neues Passwort wählen',
    footer: 'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
  },
} satisfies Record<Language, unknown>

const INVITATION = {
  en: {
    subject: 'An invitation to a heating system on Hypocaust',
    text: (from: string) => `${from} invites you to a building on Hypocaust.`,
    once: 'The link can be used once, within seven days. It shows what you are invited to before you accept.',
    label: 'Open the invitation',
    footer: 'If you do not know the sender, ignore this mail.',
  },
  de: {
    subject: 'Eine Einladung zu einer Heizung auf Hypocaust',
    text: (from: string) => `${from} lädt dich zu einem Gebäude auf Hypocaust ein.`,
    once: 'Der Link gilt einmal und sieben Tage lang. Er zeigt dir, wozu du eingeladen bist, bevor du annimmst.',
    label: 'Einladung öffnen',
    footer: 'Wenn du den Absender nicht kennst, ignoriere diese E-Mail.',
  },
} satisfies Record<Language, unknown>

export function invitationLetter(language: Language, { link, from }: { link: string; from: string }): Letter {
  const { subject, text, once, label, footer } = INVITATION[language]
  return letterOf(language, { subject, paragraphs: [text(from), once], link: { label, url: link }, footer })
}

/** The token stands behind `#`: a browser sends that part to nobody. */
export function resetLetter(language: Language, publicUrl: string, email: string, token: string): Letter {
  const { subject, asked, once, label, footer } = RESET[language]
  const url = `${publicUrl}/reset-password#${new URLSearchParams({ token, email })}`
  return letterOf(language, { subject, paragraphs: [asked(email), once], link: { label, url }, footer })
}
