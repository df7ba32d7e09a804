// What the forms of a word have in common: "kubków" and "kubek", "ruudulla" and "ruutu". Endings are taken off as long as a
// stem of three letters is left, and what the sounds at its end become is written in one way. Far from a dictionary, and
// enough for looking up rules: both the word that is typed and those of the text go the same way.

interface Language {
  /** Whether letters that stand twice count as one: steen, stenen; mugg, muggar. */
  single?: true;
  /** The endings, without accents. */
  ends: RegExp;
  /** What is written in one way at the end of a stem: [as it may be, as it is compared]. */
  same: readonly (readonly [RegExp, string])[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  fr: { single: true, ends: /(ements?|ations?|antes?|ants?|aient|ees?|er|ez|ent|es|is|it|ir|e|s|x)$/, same: [] },
  nl: { single: true, ends: /(tjes|tje|en|e|s|t)$/, same: [[/v$/, "f"], [/z$/, "s"]] },
  sv: { single: true, ends: /(arna|orna|erna|ande|ade|are|ar|or|er|en|et|na|a|e|n|t|s)$/, same: [] },
  fi: {
    ends: /(oita|illa|ille|ilta|issa|ista|ihin|iksi|iden|jien|ien|jen|ina|ita|ia|ja|lla|lle|lta|ssa|sta|ksi|tta|ta|na|n|t)$/,
    // Between a strong and a weak stem consonants change: kuppi, kupit; ruutu, ruudun; siirto, siirrän; sanko, sangot.
    same: [[/[aeiouy]+$/, ""], [/(k|p|t)\1$/, "$1"], [/d$/, "t"], [/ng$/, "nk"], [/mm$/, "mp"], [/nn$/, "nt"], [/ll$/, "lt"], [/rr$/, "rt"]],
  },
  pl: {
    ends: /(ami|ach|owie|owi|ow|iem|em|om|ego|emu|ej|ych|ymi|ym|ie|ac|aj|[aeiouy])$/,
    // Vowels come and go (kubek, kubka), and consonants soften (karta, karcie).
    same: [[/([^aeiouy])e([^aeiouy])$/, "$1$2"], [/dz$/, "d"], [/c$/, "t"]],
  },
};
const SHORTEST = 3;

/** The stem of a word without capitals and accents; the word itself in a language about which nothing is known here. */
export function stem(word: string, language: string): string {
  const known = LANGUAGES[language];
  if (!known) return word;
  let left = known.single ? word.replace(/(\p{L})\1/gu, "$1") : word;
  for (let shorter = cut(left, known.ends); shorter !== left; shorter = cut(left, known.ends)) left = shorter;
  return known.same.reduce((text, [from, to]) => text.replace(from, to), left);
}

function cut(word: string, ends: RegExp): string {
  const shorter = word.replace(ends, "");
  return shorter.length >= SHORTEST ? shorter : word;
}
