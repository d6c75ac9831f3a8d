/** Every language that has a catalogue, by its tag. The website offers those whose catalogue is complete. */
export const LANGUAGES = ['en', 'de', 'fr', 'nl', 'sv'] as const
