import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { speak } from "./lib/messages";
import { prefs } from "./lib/prefs.svelte";

prefs.apply();
document.documentElement.lang = await speak(navigator.languages);
const target = document.getElementById("app");
if (target) mount(App, { target });
