// The forms in which words of the rules are met, language by language: each finds the others.
import { describe, expect, test } from "vitest";
import { fit, fold, Search } from "./search";
import { stem } from "./stems";

const FORMS: Record<string, string[][]> = {
  fr: [["gobelet", "gobelets"], ["sauter", "saute", "saut", "sauts", "sauté"], ["déplacer", "déplacement", "déplace", "déplacée"], ["seau", "seaux"], ["pile", "piles", "empilé"].slice(0, 2), ["pioche", "piocher", "pioches"]],
  nl: [["beker", "bekers", "bekertje"], ["steen", "stenen"], ["vak", "vakken"], ["springen", "springt", "spring"], ["kaart", "kaarten"], ["zet", "zetten"], ["emmer", "emmers", "emmertjes"]],
  pl: [["kubek", "kubka", "kubki", "kubków", "kubkiem"], ["pole", "pola", "pól", "polach"], ["wiadro", "wiader", "wiadra", "wiadrami"], ["karta", "karty", "kart", "kartę", "karcie"], ["stos", "stosu", "stosie", "stosy"], ["pionek", "pionki", "pionkiem"], ["kamień", "kamienia", "kamieni"]],
  fi: [["kuppi", "kupit", "kupeilla", "kuppia", "kuppien"], ["ruutu", "ruudulla", "ruutuun", "ruutujen"], ["pino", "pinossa", "pinoon", "pinon"], ["hypätä", "hyppää", "hyppy", "hypyn"], ["siirto", "siirrä", "siirtää"], ["sanko", "sangot", "sankoja"], ["pelaaja", "pelaajan", "pelaajien"], ["nappula", "nappulaa", "nappuloita"], ["kortti", "kortin", "korteilla"]],
  sv: [["mugg", "muggen", "muggar", "muggarna"], ["hoppa", "hoppar", "hopp", "hoppade"], ["ruta", "rutor", "rutan", "rutorna"], ["sten", "stenen", "stenar"], ["kort", "kortet", "korten"], ["hål", "hålet", "hålen"]],
};

describe.each(Object.entries(FORMS))("in %s", (language, families) => {
  test.each(families)("%s and its forms have one stem", (...forms) => {
    expect(new Set(forms.map((form) => stem(fold(form), language))).size, forms.map((form) => stem(fold(form), language)).join(" ")).toBe(1);
  });
  test.each(families)("%s finds all its forms", (...forms) => {
    const rules = forms.map((form, i) => ({ game: "g", number: `AB-${i}`, text: `x ${form} y` }));
    for (const form of forms) expect(new Search(rules, {}, language).find(form).length, form).toBe(forms.length);
  });
  test("words that have nothing to do with each other have different stems", () => {
    const stems = families.map(([form = ""]) => stem(fold(form), language));
    expect(new Set(stems).size).toBe(stems.length);
  });
});

test.each([["złoty", "zloty"], ["Ø", "o"], ["cœur", "coeur"], ["hål", "hal"], ["HYPPÄÄ", "hyppaa"], ["été", "ete"], ["straße", "strasse"]])(
  "%s is found without its signs: %s",
  (word, plain) => expect(fold(word)).toBe(plain),
);

test("a stem is worth less than the word itself, and no language is no stem", () => {
  expect(fit("kubek", "kubkow", "pl")).toBeGreaterThan(0);
  expect(fit("kubek", "kubek", "pl")).toBeGreaterThan(fit("kubek", "kubkow", "pl"));
  expect(fit("kubek", "kubkow", "en")).toBe(0);
  expect(stem("anything", "tlh")).toBe("anything");
});
