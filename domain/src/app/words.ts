import { messagesIn, type Values } from '../facts/message.ts'
import de from '../words/de.json' with { type: 'json' }
import en from '../words/en.json' with { type: 'json' }
import fr from '../words/fr.json' with { type: 'json' }
import nl from '../words/nl.json' with { type: 'json' }
import sv from '../words/sv.json' with { type: 'json' }
import type { Language } from './notifications.ts'

export type WordKey = keyof typeof en

const WORDS: Record<Language, Partial<Record<WordKey, string>>> = { en, de, fr, nl, sv }

/** What a mail or a notification says, in English where a language lacks the sentence. */
export function wordsIn(language: Language): (key: WordKey, values?: Values) => string {
  const fill = messagesIn(language)
  return (key, values) => fill(WORDS[language][key] ?? en[key], values)
}
