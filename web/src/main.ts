import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { languageOf, tellServer } from "./lib/language";
import { direction, speak } from "./lib/messages";
import { prefs } from "./lib/prefs.svelte";

prefs.apply();
if (prefs.language) tellServer(prefs.language);
const named = [languageOf(location.pathname), prefs.language].filter((tag) => tag != null);
const language = await speak([...named, ...navigator.languages]);
document.documentElement.lang = language;
document.documentElement.dir = direction(language);
const target = document.getElementById("app");
if (target) mount(App, { target });
