//! The built app under Xvfb, driven through WebKitWebDriver, with a real keyring daemon.

mod accessibility_tree;
mod baseline;
mod clip;
mod desktop;
mod keys;
mod page;
mod pictures;
mod processes;
mod provider;
mod screen;
mod x_windows;

mod admin;
mod admin_looks;
mod agency;
mod assistive;
mod background;
mod cards;
mod closed;
mod composer;
mod connect;
mod first_loop;
mod first_minutes;
mod importing;
mod inbox;
mod keystroke;
mod long_list;
mod looks;
mod profiles;
mod readme_pictures;
mod receiving;
mod recovery;
mod sending;
mod start_cost;
mod starting;
mod visual;
